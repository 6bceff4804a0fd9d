"""The page layout of reports, for HTML, PDF and the workbook of `punto watch`."""
