"""Exports: tables, files and the HTML report."""
