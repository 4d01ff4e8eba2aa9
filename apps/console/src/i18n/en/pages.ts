/** Names of pages: their titles and first headings (D-144). */
export const pages = {
  sign_up: 'Sign up',
  sign_in: 'Sign in',
  first_steps: 'First steps',
  home: 'Home',
  users: 'Users',
  cards: 'Cards',
  accounts: 'Accounts',
  card_products: 'Card products',
  transactions: 'Transactions',
  simulator: 'Simulator',
  events: 'Events',
  api_keys: 'API keys',
  settings: 'Settings',
  not_found: 'Page not found',
}
