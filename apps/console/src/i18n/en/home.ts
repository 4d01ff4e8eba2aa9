/** Texts of the home page. */
export const home = {
  lead: 'The latest authorizations of your cards.',
  recent: 'Latest transactions',
}
