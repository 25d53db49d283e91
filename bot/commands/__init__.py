"""Slash commands: what a comment asks for, who may ask, and the plan of doing it. All pure."""
