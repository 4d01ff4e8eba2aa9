// The script of a widget in its frame. Only this page and its server exchange number, CVV2 and PIN:
// the framing page receives only events, and only the page that the token was created for.

const main = document.querySelector('main')
const message = document.getElementById('message')
const form = document.getElementById('form')
const { widget, origin, seconds, length } = main.dataset
const texts = JSON.parse(main.dataset.messages)
const token = new URLSearchParams(location.search).get('token')

const ANSWER_MS = 20_000
/** The reasons for the error codes of the server; any other failure is `failed`. */
const reasons = {
  pin_refused: 'weak',
  card_not_active: 'inactive',
  card_status_move_refused: 'refused',
  card_terminated: 'refused',
  widget_token_invalid: 'ended',
}

new ResizeObserver(() => notify('size', { height: main.offsetHeight })).observe(main)
notify('ready')
if (widget === 'CARD_DETAILS') whenVisible(showDetails)
if (widget === 'SET_PIN') form.addEventListener('submit', choosePin)
if (widget === 'ACTIVATE') form.addEventListener('submit', activate)

function notify(type, more) {
  if (parent !== window) parent.postMessage({ from: 'bezant', type, widget, ...more }, origin)
}

function show(text, mood = '') {
  message.textContent = text
  message.className = `message ${mood}`
}

/** Removes a part of the page; keyboard focus in it moves to the message. */
function drop(part, text, mood) {
  const hadFocus = part.contains(document.activeElement)
  part.remove()
  show(text, mood)
  if (hadFocus) message.focus()
}

/** Shows the failure and notifies the framing page. */
function fail(reason) {
  show(texts[reason], 'bad')
  notify('error', { reason })
}

/** Sends an action with the token. Returns the answer, or the reason of the failure. */
async function request(action, more) {
  try {
    const response = await fetch(`api/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...more }),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    if (response.status === 204) return {}
    const answer = await response.json()
    if (response.ok) return { answer }
    return { reason: answer.tries_left === 0 ? 'ended' : (reasons[answer.code] ?? 'failed') }
  } catch {
    return { reason: 'failed' }
  }
}

// Card details: shown once, for some seconds, and only while the page is visible.

function whenVisible(action) {
  if (document.hidden) document.addEventListener('visibilitychange', action, { once: true })
  else action()
}

async function showDetails() {
  show(texts.working)
  const { answer, reason } = await request('details')
  if (reason) return fail(reason)
  put('card_number', answer.card_number.replace(/(.{4})(?=.)/g, '$1 '))
  put('expiry_date', `${answer.expiry_date.slice(5)}/${answer.expiry_date.slice(2, 4)}`)
  put('cvv2', answer.cvv2)
  show(texts.done.replace('{n}', seconds))
  notify('done')
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

  /** Removes the card details from the page. */
  function hide() {
    clearInterval(timer)
    gone.abort()
    drop(document.getElementById('details'), texts.hidden)
    notify('hidden')
  }
}

async function copyNumber() {
  const number = document.getElementById('card_number').textContent.replaceAll(' ', '')
  try {
    await navigator.clipboard.writeText(number)
    show(texts.copied, 'good')
  } catch {
    show(texts.uncopied)
  }
}

// PIN and activation: a form that is removed when it is done.

async function choosePin(event) {
  event.preventDefault()
  const { pin, pin_again } = form.elements
  const [one, other] = [digits(pin.value), digits(pin_again.value)]
  const isWhole = one.length === Number(length) && /^\d+$/.test(one)
  if (!isWhole) return again([pin, pin_again], texts.length.replace('{n}', length))
  if (one !== other) return again([pin_again], texts.differ)
  const reason = await send('pin', { pin: one })
  if (reason === 'weak') again([pin, pin_again], texts.weak)
}

/** Clears these inputs for another attempt. */
function again(inputs, text) {
  for (const input of form.querySelectorAll('input')) {
    input.setAttribute('aria-invalid', String(inputs.includes(input)))
  }
  for (const input of inputs) input.value = ''
  inputs[0].focus()
  show(text, 'bad')
}

async function activate(event) {
  event.preventDefault()
  await send('activate')
}

/** Sends the action of the form, one request at a time. Returns the reason of a failure. */
async function send(action, more) {
  const button = form.querySelector('button')
  if (button.getAttribute('aria-disabled') === 'true') return undefined
  button.setAttribute('aria-disabled', 'true')
  show(texts.working)
  const { reason } = await request(action, more)
  button.removeAttribute('aria-disabled')
  if (reason === 'ended') drop(form, texts.ended)
  if (reason) {
    fail(reason)
    return reason
  }
  drop(form, texts.done, 'good')
  notify('done')
  return undefined
}

/** Arabic and Persian digits as ASCII digits. */
function digits(text) {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
}
