/**
 * The page /docs/start: the main story as commands for a terminal. test/e2e/getting_started.test.ts
 * runs the same commands.
 */

import type { App } from '#kit/http/app.ts'
import { escapeHtml } from '#lib/html.ts'
import { codeBlock, own, serveText } from './html.ts'

export type StoryStep = { title: string; text: string; command: string }

/**
 * The steps in the order in which they are run, in one shell, in the folder where `npm start` runs.
 */
export const story: readonly StoryStep[] = [
  {
    title: 'Read the keys of the sandbox',
    text:
      'data/sandbox.json has the address of the API and the key of a funded demo tenant. ' +
      'The two functions read a member of a JSON file and of an answer.',
    command: `setting() { node -p "JSON.parse(fs.readFileSync('data/sandbox.json')).$1"; }
member() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
API=$(setting base_url)
JSON='content-type: application/json'
call() {
  curl -sS --fail-with-body -w '\\n' -H "$JSON" -H "apikey: $(setting tenant.api_key)" "$@"
}`,
  },
  {
    title: 'Create a user',
    text: 'A user without identity checks is ACTIVE at once.',
    command: `USER_ID=$(call "$API/v1/users" \\
  -d '{"first_name": "Layla", "last_name": "Aziz"}' | member id)`,
  },
  {
    title: 'Create a card product and issue a card',
    text:
      'The product opens an account with each card. Under an idempotency key a request has its ' +
      'effect once. The id of the user in the key, and the time in the BIN, let you run it again.',
    command: `PRODUCT_ID=$(call "$API/v1/cardproducts" -d '{
  "name": "First card", "currency": "AED", "bin": "99'$(date +%H%M%S)'",
  "link_account_to_card": true, "initial_status_of_virtual_card": "ACTIVE"
}' | member id)
CARD=$(call "$API/v1/cards" -H "x-bezant-idempotency-key: card-of-$USER_ID" -d '{
  "user_id": "'$USER_ID'", "card_product_id": "'$PRODUCT_ID'", "card_type": "VIRTUAL"
}')
CARD_ID=$(echo "$CARD" | member id)
ACCOUNT_ID=$(echo "$CARD" | member account_id)`,
  },
  {
    title: 'Load 500.00 AED',
    text: 'The money comes from the program funding of the tenant. Amounts are in major units.',
    command: `call "$API/v1/accounts/$ACCOUNT_ID:loadfunds" -d '{"currency":"AED","amount":500}'`,
  },
  {
    title: 'Authorize a purchase',
    text: 'The sandbox simulates the card network. The amount is held on the account.',
    command: `PURCHASE_ID=$(call "$API/v1/simulate/authorizations" -d '{
  "card_id": "'$CARD_ID'", "amount": 120.5, "currency": "AED",
  "merchant": {"id": "BOOKSHOP", "mcc": "5942"}
}' | member id)
call "$API/v1/accounts/$ACCOUNT_ID"`,
  },
  {
    title: 'Read why it was approved',
    text: 'The trace lists every check with what it found.',
    command: `call "$API/v1/transactions/$PURCHASE_ID/trace"`,
  },
  {
    title: 'Clear it',
    text: 'The hold becomes a posting: 379.50 AED remain.',
    command: `call "$API/v1/simulate/authorizations/$PURCHASE_ID:clear" -d '{}'
call "$API/v1/accounts/$ACCOUNT_ID"`,
  },
  {
    title: 'Open a checkout as a shop',
    text:
      'A merchant exchanges its keys for a token. The customer pays at checkout_url, in a ' +
      'browser, with the card number, expiry and CVV2 of the card.',
    command: `call "$API/v1/cards/$CARD_ID:reveal"
TOKEN=$(curl -sS --fail-with-body "$API/api/v1.0/merchant/authentication/" -H "$JSON" -d '{
  "public_key": "'$(setting merchant.public_key)'",
  "private_key": "'$(setting merchant.private_key)'"
}' | member token)
curl -sS --fail-with-body "$API/api/v1.0/checkouts/" \\
  -H "$JSON" -H "authorization: Bearer $TOKEN" \\
  -d '{
  "reference": "ORDER-1", "total": "20.25", "currency": "AED",
  "confirm_callback_url": "https://shop.example/thanks",
  "reject_callback_url": "https://shop.example/failed"
}'`,
  },
  {
    title: 'Read what happened',
    text:
      'Events are listed oldest first; a webhook subscription receives the same objects, ' +
      'signed. The documentation shows each kind under Events.',
    command: `call "$API/v1/events?limit=50"`,
  },
]

export function serveGettingStarted(app: App): void {
  serveText(app, '/docs/start', {
    title: 'Getting started',
    style: own('start.css'),
    script: '/docs/copy.js',
    aside: () => `<nav aria-label="Steps"><h2>Steps</h2>
<ol>${story.map(stepLink).join('')}</ol></nav>`,
    body: () => `<h1>Getting started</h1>
<p>Run these commands in one terminal, in the folder in which <code>npm start</code> runs.
<a href="/docs">The API reference</a> describes every operation, and
<a href="/console/first-steps">First steps of the console</a> does the same in a browser.</p>
${story.map(sectionOf).join('\n')}`,
  })
}

const stepLink = ({ title }: StoryStep, at: number): string =>
  `<li><a href="#step-${at + 1}"><span>${at + 1}</span>${escapeHtml(title)}</a></li>`

function sectionOf({ title, text, command }: StoryStep, at: number): string {
  return `<section class="step" id="step-${at + 1}">
<h2><span>${at + 1}</span>${escapeHtml(title)}</h2>
<p>${escapeHtml(text)}</p>
${codeBlock('Shell', command)}
</section>`
}
