"""What the engine sees and samples of the machine."""
