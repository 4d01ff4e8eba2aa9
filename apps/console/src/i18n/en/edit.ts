/** Texts of a form whose object was changed meanwhile. */
export const edit = {
  title: 'This was changed meanwhile',
  text:
    'Another person, or another tab, changed it after you opened this form. Nothing of yours is ' +
    'saved yet. Saving changes only what you have changed yourself.',
  before: 'Before',
  now: 'Now',
  mine: 'Yours',
  take: 'Keep the present value',
  save_mine: 'Save my changes',
  discard: 'Discard my changes',
  idle: 'Nothing is changed yet.',
  yes: 'Yes',
  no: 'No',
}
