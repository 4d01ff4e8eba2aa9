/** Texts of lists that are written to a file. */
export const downloads = {
  export: 'Export CSV',
  downloads: 'How files are written',
  mark: 'Begin with a byte-order mark (for Excel)',
  too_many_rows:
    'The list has more than 10,000 rows. Narrow it by its filters, or read it by the API.',
}
