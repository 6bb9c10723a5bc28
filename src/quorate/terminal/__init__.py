"""What people see in a terminal: answers as text, tables for each question and kind, and a few other views."""
