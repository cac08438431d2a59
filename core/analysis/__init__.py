"""What results mean: rows, contrasts, roofline, explanations, advice."""
