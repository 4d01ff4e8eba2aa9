/** First steps. */
export const steps = {
  lead: 'Five calls from a new user to a cleared purchase. Each runs here, against your sandbox.',
  progress: '{{done}} of {{all}} done',
  request: 'Request',
  response: 'Response',
  changed: 'What changed',
  again: 'Start again',
  waiting: 'Run the step before it first.',
  done: 'Done',
  user: {
    title: 'Create a user',
    text: 'A user is the person who holds the card.',
    result: '{{name}} is {{status}} and may hold cards.',
  },
  card: {
    title: 'Issue a card and activate it',
    text: 'A virtual card of your first card product, with an account of its own.',
    result: 'Card {{number}} is {{status}}. Its account has the card’s currency.',
  },
  load: {
    title: 'Load funds',
    text: 'The money comes from the program funding of your organization.',
    result: 'The account has {{balance}}, all of it available.',
  },
  purchase: {
    title: 'Authorize a purchase',
    text: 'The sandbox sends the request of a shop, as the card network does.',
    result: 'The engine answered {{code}} {{description}}. {{amount}} are held.',
    declined:
      'The engine declined {{amount}}: {{code}} {{description}}. Nothing is held. Run it again.',
  },
  clear: {
    title: 'Clear the purchase',
    text: 'The shop collects what it was promised: the hold becomes a posting.',
    result: 'The transaction is {{status}}: {{amount}} have left the account.',
  },
  finished: 'The purchase is cleared. Change what the shop sends in the simulator.',
  open_simulator: 'Open the simulator',
  no_product: 'Your organization has no active card product. Create one, then come back.',
}
