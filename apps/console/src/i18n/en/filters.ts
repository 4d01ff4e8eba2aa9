/** Texts of lists that are filtered. */
export const filters = {
  title: 'Filters',
  all: 'All',
  no_fit: 'Nothing fits these filters',
  no_fit_text: 'There may be more without them.',
  clear: 'Clear the filters',
}
