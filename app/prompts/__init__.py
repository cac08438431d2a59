"""The dialog that shows prompts before they are used."""
