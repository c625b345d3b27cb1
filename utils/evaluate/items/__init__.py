"""The items of scripts/evaluate: catalog.py lists them, the other files make them."""
