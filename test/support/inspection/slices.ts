/** The slices in the order in which they may build on each other (ARCHITECTURE.md). */
// biome-ignore format: one line for each API reads best.
export const slices = [
  'versions', 'tenants', 'audit_records', 'users', 'identifications', 'verification', 'vault',
  'lists', 'products', 'rates', 'ledger', 'limits', 'shadows', 'accounts', 'programs', 'charges',
  'cards', 'stop_orders', 'pins', 'card_orders', 'tokens', 'chips', 'widgets', 'bulk',
  'transactions', 'wire_messages', 'statistics', 'networks', 'authorization', 'challenges',
  'disputes',  'clearings', 'backtests', 'webhooks', 'search', 'processes',
  'merchants', 'acquirer', 'kept_cards', 'checkouts', 'orders', 'chargebacks', 'payouts',
  'endpoints',
  'mails', 'people', 'attempts', 'one_time_tokens', 'second_factors', 'sessions', 'passkeys',
  'registrations', 'keys', 'team', 'resets',
]
