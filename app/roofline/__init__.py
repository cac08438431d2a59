"""How near to what the machine allows."""
