"""A report as a workbook."""
