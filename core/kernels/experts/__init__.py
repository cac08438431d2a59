"""A mixture's experts: finding, multiplying, dropping them."""
