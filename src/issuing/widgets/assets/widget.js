// What a widget does in its frame. Number, CVV2 and PIN stay between this page and its server: the
// framing page hears only that something happened, and only the one that the token was made for.

const main = document.querySelector('main')
const said = document.getElementById('said')
const form = document.getElementById('form')
const { widget, origin, seconds, length } = main.dataset
const words = JSON.parse(main.dataset.said)
const token = new URLSearchParams(location.search).get('token')

const ANSWER_MS = 20_000
/** What the server's refusals are called here; whatever else goes wrong is `failed`. */
const reasons = {
  pin_refused: 'weak',
  card_not_active: 'inactive',
  card_status_move_refused: 'refused',
  card_terminated: 'refused',
  widget_token_invalid: 'ended',
}

new ResizeObserver(() => tell('size', { height: main.offsetHeight })).observe(main)
tell('ready')
if (widget === 'CARD_DETAILS') whenSeen(showDetails)
if (widget === 'SET_PIN') form.addEventListener('submit', choosePin)
if (widget === 'ACTIVATE') form.addEventListener('submit', activate)

function tell(type, more) {
  if (parent !== window) parent.postMessage({ from: 'bezant', type, widget, ...more }, origin)
}

function say(text, mood = '') {
  said.textContent = text
  said.className = `said ${mood}`
}

/** Takes a part of the page away; who stood in it with the keyboard stands at what is said then. */
function drop(part, text, mood) {
  const isLeft = part.contains(document.activeElement)
  part.remove()
  say(text, mood)
  if (isLeft) said.focus()
}

/** Says and tells that something failed. */
function fail(reason) {
  say(words[reason], 'bad')
  tell('error', { reason })
}

/** Sends a deed under the token. Answers what came back, or the reason why nothing did. */
async function ask(deed, more) {
  try {
    const answer = await fetch(`api/${deed}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...more }),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (answer.status === 204) return {}
    const told = await answer.json()
    if (answer.ok) return { told }
    return { reason: told.tries_left === 0 ? 'ended' : (reasons[told.code] ?? 'failed') }
  } catch {
    return { reason: 'failed' }
  }
}

// Card details: once, for some seconds, and only where somebody looks.

function whenSeen(deed) {
  if (document.hidden) document.addEventListener('visibilitychange', deed, { once: true })
  else deed()
}

async function showDetails() {
  say(words.working)
  const { told, reason } = await ask('details')
  if (reason) return fail(reason)
  put('card_number', told.card_number.replace(/(.{4})(?=.)/g, '$1 '))
  put('expiry_date', `${told.expiry_date.slice(5)}/${told.expiry_date.slice(2, 4)}`)
  put('cvv2', told.cvv2)
  say(words.done.replace('{n}', seconds))
  tell('done')
  document.getElementById('details').hidden = false
  document.getElementById('copy').addEventListener('click', copyNumber)
  hideInTime()
}

function put(id, text) {
  document.getElementById(id).textContent = text
}

function hideInTime() {
  const end = performance.now() + seconds * 1000
  const timer = setInterval(tick, 200)
  const gone = new AbortController()
  document.getElementById('hide').addEventListener('click', hide)
  document.addEventListener('visibilitychange', hide, gone)
  window.addEventListener('pagehide', hide, gone)
  if (document.hidden) hide()
  else tick()

  function tick() {
    const left = Math.ceil((end - performance.now()) / 1000)
    if (left <= 0) return hide()
    put('left', String(left))
    document.getElementById('time').value = left
  }

  /** What was shown leaves the page altogether. */
  function hide() {
    clearInterval(timer)
    gone.abort()
    drop(document.getElementById('details'), words.hidden)
    tell('hidden')
  }
}

async function copyNumber() {
  const number = document.getElementById('card_number').textContent.replaceAll(' ', '')
  try {
    await navigator.clipboard.writeText(number)
    say(words.copied, 'good')
  } catch {
    say(words.uncopied)
  }
}

// PIN and activation: a form that goes away when it is done.

async function choosePin(event) {
  event.preventDefault()
  const { pin, pin_again } = form.elements
  const [one, other] = [digits(pin.value), digits(pin_again.value)]
  const isWhole = one.length === Number(length) && /^\d+$/.test(one)
  if (!isWhole) return again([pin, pin_again], words.length.replace('{n}', length))
  if (one !== other) return again([pin_again], words.differ)
  const reason = await send('pin', { pin: one })
  if (reason === 'weak') again([pin, pin_again], words.weak)
}

/** What was typed into these goes, and is asked for anew. */
function again(inputs, text) {
  for (const input of form.querySelectorAll('input')) {
    input.setAttribute('aria-invalid', String(inputs.includes(input)))
  }
  for (const input of inputs) input.value = ''
  inputs[0].focus()
  say(text, 'bad')
}

async function activate(event) {
  event.preventDefault()
  await send('activate')
}

/** Sends the form's deed, once at a time. Answers the reason why it was not done. */
async function send(deed, more) {
  const button = form.querySelector('button')
  if (button.getAttribute('aria-disabled') === 'true') return undefined
  button.setAttribute('aria-disabled', 'true')
  say(words.working)
  const { reason } = await ask(deed, more)
  button.removeAttribute('aria-disabled')
  if (reason === 'ended') drop(form, words.ended)
  if (reason) {
    fail(reason)
    return reason
  }
  drop(form, words.done, 'good')
  tell('done')
  return undefined
}

/** Arabic and Persian digits as plain ones. */
function digits(text) {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
}
