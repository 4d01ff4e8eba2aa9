/** Lists and single objects. */
export const lists = {
  home: { lead: 'The latest authorizations of your cards.', recent: 'Latest transactions' },
  transactions: {
    lead: 'Every authorization, clearing and refund, with the checks that decided it.',
    none: 'There are no transactions',
    none_text: 'Transactions appear here when a card is used. The simulator sends the first.',
    all: 'All statuses',
    path: 'Decision path',
    history: 'Events',
    entries: 'Entries',
    no_entries: 'Nothing has been posted to the account.',
    event: 'Event',
    details: 'Details',
    billing: 'Billing amount',
    cleared: 'Cleared',
    refunded: 'Refunded',
    hold_expires: 'Hold expires',
    entry_mode: 'Entry mode',
    approval_code: 'Approval code',
  },
}
