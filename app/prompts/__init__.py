"""Looking at prompts before they are used."""
