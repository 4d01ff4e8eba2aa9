/** First steps. */
export const steps = {
  lead: 'Five calls from a new user to an approved purchase. Each runs here, against your sandbox.',
  progress: '{{done}} of {{all}} done',
  request: 'Request',
  response: 'Response',
  calls: 'Request and response',
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
    title: 'Pay in a shop',
    text: 'The sandbox sends the request of a shop, as the card network does.',
    result: 'The engine answered {{code}} {{description}}. {{amount}} are held.',
    declined:
      'The engine declined {{amount}}: {{code}} {{description}}. Nothing is held. Run it again.',
  },
  decision: {
    title: 'See the decision',
    text: 'Every check that the engine made, with what it saw.',
    result: 'Nothing changed: {{count}} checks passed, so the purchase is approved.',
  },
  finished: 'The purchase is approved. Change what the shop sends in the simulator.',
  open_transaction: 'Open the transaction',
  open_simulator: 'Open the simulator',
  no_product: 'Your organization has no active card product. Create one, then come back.',
}
