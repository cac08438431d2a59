"""Driving engines through an experiment."""
