"""What matches, challenges and training share."""
