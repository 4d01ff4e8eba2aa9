import type { Texts } from './shape.ts'

export const en: Texts = {
  direction: 'ltr',
  other: { language: 'ar', name: 'العربية' },
  title: 'Payment',
  summary: 'Your order',
  details: 'Order details',
  order: 'Order',
  quantity: 'Quantity',
  item: 'Item',
  more: 'More items',
  subtotal: 'Subtotal',
  shipping: 'Shipping',
  tax: 'Tax',
  discount: 'Discount',
  total: 'Total',
  form: 'Pay by card',
  pay: 'Pay',
  paying: 'Paying…',
  back: 'Back to the shop',
  terms: 'Terms of the shop',
  support: 'Help from the shop',
  labels: { card_number: 'Card number', expiry: 'Expiry date', cvv2: 'Security code' },
  hints: {
    card_number: 'The long number on your card',
    expiry: 'Month and year',
    cvv2: 'Three or four digits',
  },
  faults: {
    card_number: { empty: 'Enter the card number', wrong: 'Check the card number' },
    expiry: {
      empty: 'Enter the date',
      wrong: 'Use month and year',
      past: 'This date is past',
    },
    cvv2: { empty: 'Enter the code', wrong: 'Use 3 or 4 digits' },
  },
  check: 'Please check what you entered',
  declined: 'The payment was not made',
  reasons: {
    funds: 'There is not enough money on this card. Try another one.',
    data: 'The card number or the expiry date is not right. Check both.',
    security: 'The security code is not right. Check the digits on the card.',
    limit: 'The payment is above a limit of this card. Try another one.',
    unusable: 'This card cannot be used here. Try another one.',
    proof: 'This card needs a confirmation that this shop does not offer. Try another one.',
    identity:
      'Your bank could not confirm that it is you. You have not been charged. Try again, or use ' +
      'another card.',
    away: 'Your bank did not answer. You have not been charged. Please try again.',
    declined: 'Your bank declined the payment. Try another card.',
  },
  tries: ['You have one try left.', 'You have two tries left.'],
  safe: 'Your card details go straight to the card network. The shop never sees them.',
  reload: 'Check again',
  stale: {
    title: 'This form was out of date',
    text: 'The card that you have just entered was not used. Please enter it again.',
  },
  cancelled: {
    title: 'You cancelled the confirmation',
    text: 'You have not been charged. Enter your card again, or use another one.',
  },
  late: {
    title: 'The confirmation took too long',
    text: 'The code has expired. You have not been charged. Please enter your card again.',
  },
  unasked: {
    title: 'Your bank cannot be reached',
    text: 'You have not been charged. Please try again, or use another card.',
  },
  challenge: {
    title: 'Confirm your payment',
    sent: 'Your bank has sent a code to your mobile number that ends in',
    resent: 'A new code was sent. Earlier codes are no longer valid.',
    shop: 'Shop',
    amount: 'Amount',
    card: 'Card',
    ends: 'ends in',
    code: 'Code',
    hint: 'Six digits, valid for five minutes',
    faults: {
      empty: 'Enter the code',
      unreadable: 'The code has six digits',
      wrong: 'This code is not right.',
    },
    confirm: 'Confirm',
    confirming: 'Confirming…',
    resend: 'Send a new code',
    cancel: 'Cancel',
    safe: 'Your bank asks for this code. Give it to no one, not even to the shop.',
    bank: {
      name: 'Your bank',
      code: 'Your bank has sent you a code.',
      app: 'Approve the payment in the app of your bank, and then go on here.',
      go_on: 'Go on',
      going_on: 'One moment…',
      safe: 'Approve only a payment that you are making now.',
      waiting: 'The payment is not approved yet. Approve it in the app, and then go on.',
      unanswered: 'Your bank does not answer. You have not been charged. Please try again.',
    },
    test: { code: 'The code is', text: 'No message is sent in test mode.' },
  },
  processing: {
    title: 'Your payment is being processed',
    text: 'Please do not pay again. This page goes on by itself.',
  },
  checking: {
    title: 'Your payment is being checked',
    text:
      'We are asking your bank whether the payment was made. Please do not pay again. This page ' +
      'goes on by itself.',
  },
  paid: {
    title: 'Thank you, your payment was made',
    text: 'The shop has your order. You can close this page or go back.',
  },
  rejected: {
    title: 'The payment was not made',
    text:
      'The card was declined three times, and you have not been charged. Go back to the shop to ' +
      'start again with another card.',
  },
  ended: {
    title: 'This payment page has ended',
    text: 'You have not been charged. Go back to the shop and start the payment again.',
  },
  replaced: {
    title: 'There is a newer payment page',
    text:
      'The shop has opened a newer payment page for this order. Go on there. You have not been ' +
      'charged on this page.',
  },
  closed: {
    title: 'This shop takes no payments',
    text: 'You have not been charged on this page. Please ask the shop about your order.',
  },
  paid_elsewhere: {
    title: 'This order is paid',
    text: 'The payment was made on another page. You do not have to pay again.',
  },
  paying_elsewhere: {
    title: 'This order is being paid',
    text:
      'A payment of this order is being checked on another page. Please do not pay again. This ' +
      'page goes on by itself.',
  },
  unknown: {
    title: 'This payment page does not exist',
    text: 'Check the address, or start the payment again from the shop.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'Please wait a moment and open this page again. You are never charged twice.',
  },
  back_to_form: 'Back to the payment',
  kept: {
    title: 'Your cards',
    card: 'Card',
    expires: 'Valid until',
    expired: 'Expired',
    another: 'Use another card',
    remove: 'Remove',
    consent: [
      'Keep this card for my next purchases at',
      ', and for payments that I agree on with the shop. I can remove it at any time.',
    ],
  },
  test: {
    badge: 'Test mode',
    title: 'Test cards',
    hint: 'No real money moves. Choose a card to fill in the form:',
    kinds: {
      approved: 'Approved',
      three_ds: '3-D Secure',
      funds: 'Not enough money',
      code: 'Wrong security code',
      slow: 'Slow answer',
    },
    missing: {
      title: 'The test cards are not ready',
      text:
        'They are cards of this sandbox with test money on them. The button makes them, or adds ' +
        'money where there is too little for this order.',
    },
    make: 'Prepare test cards',
  },
}
