/** The checks of a decision: the name of each, its question, and the value that would pass. */
export const checks = {
  most: 'At most {{amount}} would have passed.',
  saw: 'What the check saw',
  rule: 'Rule',
  to_pass: 'To pass',
  shadow: 'Lists and limits in SHADOW only watch: this one did not decline.',
  also: 'This check would have declined as well, but did not decide.',
  known: {
    format: {
      name: 'Format of the message',
      asks: 'The message has every field that it needs.',
      passes: 'A message with the missing or malformed field put right would pass.',
    },
    reversal: {
      name: 'Early reversal',
      asks: 'No reversal of this message has come before it.',
      passes: 'A new payment would pass: this one was already taken back by the shop.',
    },
    deadline: {
      name: 'Time to answer',
      asks: 'The decision is made before the network stops waiting.',
      passes: 'The same payment, sent again, would be decided in time.',
    },
    card: {
      name: 'Card',
      asks: 'The number belongs to a card of this program.',
      passes: 'The number of a card that was issued here would pass.',
    },
    product: {
      name: 'Card product',
      asks: 'The product of the card is set up to decide payments.',
      passes: 'Complete the settings of the card product.',
    },
    card_status: {
      name: 'Card status',
      asks: 'The card is active.',
      passes: 'Activate the card, or lift its suspension. A terminated card needs a replacement.',
    },
    cardholder: {
      name: 'Cardholder',
      asks: 'The card has a user, who is active.',
      passes: 'Assign the card to an active user, or complete the verification of its user.',
    },
    wallet: {
      name: 'Wallet token',
      asks: 'A payment by phone or watch uses an active token.',
      passes: 'Activate the token, or add the card to the wallet again.',
    },
    verification_tries: {
      name: 'Tries of card data',
      asks: 'Wrong card data was sent only a few times in the last 24 hours.',
      passes: 'Wait until the wrong tries are a day old.',
    },
    expiry: {
      name: 'Expiry date',
      asks: 'The card has not expired, and the date in the message is right.',
      passes: 'The expiry date on the card, typed right, would pass.',
    },
    service_code: {
      name: 'Service code',
      asks: 'The magnetic stripe allows this way to read it.',
      passes: 'The chip of the card, read instead of the stripe, would pass.',
    },
    chip: {
      name: 'Chip',
      asks: 'The cryptogram of the chip is right, and its counter goes up.',
      passes: 'A new payment with the genuine chip would pass.',
    },
    card_verification: {
      name: 'Card verification value',
      asks: 'The CVV2, or the value on the stripe or chip, is right.',
      passes: 'The right CVV2 would pass.',
    },
    pin_tries: {
      name: 'Tries of the PIN',
      asks: 'The PIN is not locked by wrong tries.',
      passes: 'Unlock or change the PIN of the card.',
    },
    pin: {
      name: 'PIN',
      asks: 'The PIN is right.',
      passes: 'The right PIN would pass. A card without a PIN needs one first.',
    },
    transaction_type: {
      name: 'Transaction type',
      asks: 'The platform knows what the message asks for.',
      passes: 'A type that the platform supports would pass.',
    },
    switches: {
      name: 'Switches',
      asks: 'Card, product and tenant allow this kind of payment.',
      passes: 'Turn on the switch that is named here.',
    },
    cash_terminal: {
      name: 'Cash terminal',
      asks: 'Cash is taken where cash may be handed out.',
      passes: 'A withdrawal at an ATM or bank would pass.',
    },
    cardholder_phone: {
      name: 'Phone for passwords',
      asks: 'A payment that asks for a one-time password has a phone to send it to.',
      passes: 'Add a mobile number to the user.',
    },
    countries: {
      name: 'Countries',
      asks: 'The lists of countries allow the place of the shop.',
      passes: 'A shop in an allowed country would pass, or a list that allows this one.',
    },
    mccs: {
      name: 'Merchant categories',
      asks: 'The lists of merchant categories allow this kind of shop.',
      passes: 'A shop of an allowed category would pass, or a list that allows this one.',
    },
    merchants: {
      name: 'Merchants',
      asks: 'The lists of merchants allow this shop.',
      passes: 'Another shop would pass, or a list that allows this one.',
    },
    currency: {
      name: 'Currency',
      asks: 'The currency can be converted to that of the account.',
      passes: 'Set a rate from this currency, or pay in one that has a rate.',
    },
    amount: {
      name: 'Amount',
      asks: 'There is an amount to move.',
      passes: 'An amount above zero would pass; a verification has none.',
    },
    amount_bounds: {
      name: 'Smallest and largest amount',
      asks: 'The amount is between the bounds of the card, its product and the tenant.',
      passes: 'An amount within the bound that is named here would pass.',
    },
    velocity: {
      name: 'Velocity limits',
      asks: 'Number and sum of payments stay within the limits of the period.',
      passes:
        'A smaller amount may pass; the rest waits for the next period, or for a higher limit.',
    },
    stop_orders: {
      name: 'Stop orders',
      asks: 'No stop order of the cardholder holds this recurring payment.',
      passes: 'Remove the stop order for this merchant.',
    },
    responder: {
      name: 'Your responder',
      asks: 'Your own service approves the payment.',
      passes: 'An approval of your service, in time, would pass.',
    },
    account: {
      name: 'Account',
      asks: 'The account of the card is active.',
      passes: 'Activate the account of the card.',
    },
    funds: {
      name: 'Funds',
      asks: 'The account has enough for the amount and its charges.',
      passes: 'Load the account, or pay a smaller amount.',
    },
    balance_limits: {
      name: 'Balance limits',
      asks: 'The balance stays within its limits afterwards.',
      passes: 'An amount that leaves the balance within the limit would pass.',
    },
    original: {
      name: 'Original transaction',
      asks: 'The message names a transaction that it can act on.',
      passes: 'A message about a transaction that is still open would pass.',
    },
    purchase: {
      name: 'Purchase of the refund',
      asks: 'The refund fits a purchase of the card, or what may be credited without one.',
      passes: 'A refund of at most what was cleared would pass.',
    },
  },
}
