"""One module per boundary of the draft: what crosses it, as dictionaries in both directions."""
