"""What each webhook event means for which pull request; and the job that follows from it."""
