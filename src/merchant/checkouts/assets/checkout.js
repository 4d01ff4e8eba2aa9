// Enhances the payment page, which also works without a script. assets.ts writes BRANDS before it.

/** Milliseconds for which the tick of a payment is seen before the page leaves. */
const TICK_MS = 1400
/** Brands whose numbers may go on after a sum that is right by chance. */
const LONGER = /^(62|5[0678]|6[37])/

const framed = window.parent !== window
const result = document.getElementById('result')
const leave = document.querySelector('[data-leave]')
const form = document.querySelector('form[data-month]')
const challenge = document.getElementById('challenge')

if (result) finish(result)
if (leave && framed) leave.addEventListener('click', giveUp)
if (form) improve(form)
if (challenge) ask(challenge)
for (const picture of document.querySelectorAll('.picture img')) hideBroken(picture)

/** In a frame the shop's page closes it; otherwise the customer sees that it worked. */
function finish({ href, dataset }) {
  if (framed) end(href, dataset)
  else setTimeout(() => end(href, dataset), TICK_MS)
}

/** Sends the result of the payment to the shop's page once and goes on to the shop. */
function end(href, { status, confirmUrl, rejectUrl, origin }) {
  if (framed) {
    const func = 'closeIFrameOnCompleteOrder'
    const message = { status, confirmUrl, rejectUrl, hidePopup: true }
    window.parent.postMessage({ status, confirmUrl, rejectUrl, func, message }, origin)
  }
  window.location.replace(href)
}

/** In a frame the shop's page learns that the customer does not want to pay. */
function giveUp(event) {
  event.preventDefault()
  const { href, origin, dataset } = leave
  end(href, { status: 'FAILED', confirmUrl: dataset.leave, rejectUrl: href, origin })
}

/** The drawing behind a picture stays where the shop's is not there. */
function hideBroken(picture) {
  const hide = () => picture.remove()
  if (picture.complete && picture.naturalWidth === 0) hide()
  else picture.addEventListener('error', hide)
}

function improve(form) {
  const { card_number, expiry, cvv2, framed: mark, ticked } = form.elements
  const fields = [card_number, expiry, cvv2]
  const button = form.querySelector('[data-paying]')
  const label = button.innerHTML
  let sending = false
  mark.value = framed ? '1' : ''
  ticked.value = '1'

  const isExpiryNow = (text) => expiryFault(text, form.dataset.month)
  typing(card_number, groups, numberFault)
  typing(expiry, slashed, isExpiryNow)
  typing(cvv2, (text) => text.replace(/\D/g, '').slice(0, 4), codeFault)
  card_number.addEventListener('input', () => showBrand(card_number))
  showBrand(card_number)
  leadOn(card_number, expiry, isWholeNumber)
  leadOn(expiry, cvv2, (text) => text.length === 5 && !isExpiryNow(text))

  form.addEventListener('submit', (event) => {
    if (sending) return event.preventDefault()
    const wrong = [
      [card_number, numberFault],
      [expiry, isExpiryNow],
      [cvv2, codeFault],
    ].filter(([field, faultOf]) => isShown(field) && show(field, faultOf(field.value)))
    if (wrong.length > 0) {
      event.preventDefault()
      wrong[0][0].focus()
      return
    }
    sending = true
    button.setAttribute('aria-disabled', 'true')
    button.textContent = button.dataset.paying
  })

  // A kept card has its number and its date already. The fields of a card are hidden by the style.
  for (const choice of form.querySelectorAll('[name="kept_card"]')) {
    choice.addEventListener('change', () => fields.forEach(forgive))
  }

  // Card data is not kept over a reload or a way back. A page that the browser restores from its
  // cache may be submitted again.
  window.addEventListener('pageshow', ({ persisted }) => {
    const [{ type } = {}] = performance.getEntriesByType('navigation')
    if (!persisted && type !== 'reload' && type !== 'back_forward') return
    sending = false
    button.removeAttribute('aria-disabled')
    button.innerHTML = label
    for (const field of fields) empty(field)
    showBrand(card_number)
  })
}

/** The page of the card's issuer: its code is sent once, and its time ends by itself. */
function ask(form) {
  const { code, framed: mark, ticked } = form.elements
  const button = form.querySelector('button')
  const label = button.textContent
  let sending = false
  mark.value = framed ? '1' : ''
  ticked.value = '1'
  // A payment that is approved in an app has no code.
  if (code) {
    typing(code, (text) => text.replace(/\D/g, '').slice(0, 6), oneTimeFault)
    leadOn(code, button, (text) => !oneTimeFault(text))
  }

  form.addEventListener('submit', (event) => {
    if (sending) return event.preventDefault()
    if (code && event.submitter === button && show(code, oneTimeFault(code.value))) {
      event.preventDefault()
      code.focus()
      return
    }
    sending = true
    if (event.submitter !== button) return
    button.setAttribute('aria-disabled', 'true')
    button.textContent = button.dataset.paying
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    sending = false
    button.removeAttribute('aria-disabled')
    button.textContent = label
  })
  // The page of the checkout then states that the time is over.
  setTimeout(() => {
    if (!sending) window.location.replace(form.getAttribute('action'))
  }, Number(form.dataset.seconds) * 1000)
}

function oneTimeFault(text) {
  const code = digits(text)
  if (code === '') return 'empty'
  return /^\d{6}$/.test(code) ? undefined : 'wrong'
}

const isShown = (field) => field.offsetParent !== null

/** What was at fault with one card is not with another. */
function forgive(field) {
  show(field, undefined)
}

function empty(field) {
  field.value = field.defaultValue
}

/** Formats what is typed and pasted, judges it when the field is left, and forgives at once. */
function typing(field, format, faultOf) {
  field.addEventListener('input', (event) => {
    const isErasing = event.inputType?.startsWith('delete') ?? false
    write(field, (text, isAtEnd) => format(text, isErasing || !isAtEnd))
    if (field.hasAttribute('aria-invalid') && !faultOf(field.value)) show(field, undefined)
  })
  // The limit of the field would cut a number that is pasted with more between its digits.
  field.addEventListener('paste', (event) => {
    const text = digits(event.clipboardData?.getData('text') ?? '')
    if (!/^[\d/]+$/.test(text)) return
    event.preventDefault()
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
    field.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }))
  })
  field.addEventListener('blur', () => {
    // A field that is only passed is not at fault yet.
    const fault = faultOf(field.value)
    if (fault !== 'empty') show(field, fault)
  })
}

/**
 * The focus goes on once a field is whole, and never away from what is still being typed. Who presses
 * Tab by habit is there already: the first Tab after it stays at the field.
 */
function leadOn(field, next, isWhole) {
  let isLed = false
  field.addEventListener('input', (event) => {
    const isErasing = event.inputType?.startsWith('delete') ?? false
    const isAtEnd = field.selectionEnd === field.value.length
    if (isErasing || !isAtEnd || document.activeElement !== field) return
    if (!isWhole(field.value) || next.value !== '') return
    next.focus()
    isLed = next instanceof HTMLInputElement
  })
  next.addEventListener('keydown', (event) => {
    if (isLed && event.key === 'Tab' && !event.shiftKey) event.preventDefault()
    isLed = false
  })
}

/** Every digit is there that a number of its brand has. */
function isWholeNumber(text) {
  const number = digits(text)
  const length = /^3[47]/.test(number) ? 15 : LONGER.test(number) ? 19 : 16
  return number.length === length && isCardNumber(number)
}

/** The caret stays behind the same digit. */
function write(field, format) {
  const { value, selectionEnd } = field
  const before = digits(value.slice(0, selectionEnd)).replace(/\D/g, '').length
  const isAtEnd = selectionEnd === value.length
  const text = format(digits(value), isAtEnd)
  if (text === value) return
  field.value = text
  if (isAtEnd || document.activeElement !== field) return
  let [at, seen] = [0, 0]
  while (at < text.length && seen < before) if (/\d/.test(text[at++])) seen++
  field.setSelectionRange(at, at)
}

/** Spaces where the card has them: after four digits; 4, 6 and 5 of fifteen. */
function groups(text) {
  const number = text.replace(/\D/g, '').slice(0, 19)
  const isShort = /^3[47]/.test(number) && number.length <= 15
  const pattern = isShort ? /^(.{1,4})(.{0,6})(.*)$/ : /^(.{0,4})(.{0,4})(.{0,4})(.{0,4})(.*)$/
  const [, ...parts] = pattern.exec(number) ?? []
  return parts.filter(Boolean).join(' ')
}

/** A slash after the month, which is not put back while it is erased. */
function slashed(text, isErasing) {
  const parts = text.replace(/[^\d/]/g, '')
  let [, month = '', slash = '', year = ''] = /^(\d{0,2})(\/*)(.*)$/.exec(parts) ?? []
  if (/^[2-9]$/.test(month) || (/^[1-9]$/.test(month) && slash)) month = `0${month}`
  if (month.length < 2) return month
  year = year.replace(/\D/g, '')
  year = year.slice(0, year.startsWith('20') ? 4 : 2).replace(/^20(?=\d\d)/, '')
  const isDone = slash || year || !isErasing
  return isDone ? `${month}/${year}` : month
}

function numberFault(text) {
  const number = digits(text)
  if (number === '') return 'empty'
  return isCardNumber(number) ? undefined : 'wrong'
}

function codeFault(text) {
  const code = digits(text)
  if (code === '') return 'empty'
  return /^\d{3,4}$/.test(code) ? undefined : 'wrong'
}

/** `month` is YYMM of the shop's clock. */
function expiryFault(text, month) {
  const typed = digits(text)
  if (typed === '') return 'empty'
  const [, typedMonth, year] = /^(0?[1-9]|1[0-2])\/{0,2}(?:20)?(\d\d)$/.exec(typed) ?? []
  if (!year) return 'wrong'
  return year + typedMonth.padStart(2, '0') < month ? 'past' : undefined
}

/** Puts the sentence of a fault in place of the hint, or the hint back. Returns the fault. */
function show(field, fault) {
  const [hint, line] = ['hint', 'fault'].map((part) =>
    document.getElementById(`${field.id}_${part}`),
  )
  hint.hidden = fault !== undefined
  line.hidden = fault === undefined
  line.lastElementChild.textContent = fault ? field.dataset[fault] || field.dataset.wrong : ''
  field.setAttribute('aria-describedby', (fault ? line : hint).id)
  if (fault) field.setAttribute('aria-invalid', 'true')
  else field.removeAttribute('aria-invalid')
  return fault
}

/** By the first digits (ISO/IEC 7812). A number of no known brand has none. */
function showBrand(field) {
  const number = digits(field.value)
  const [name = ''] = BRANDS.find(([, pattern]) => pattern.test(number)) ?? []
  const output = document.getElementById('brand')
  if (output.value !== name) output.value = name
}

/** Arabic and Persian digits as plain ones, without the spaces and dashes between them. */
function digits(text) {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
}

/** 12 to 19 digits of which the last is the check digit. */
function isCardNumber(text) {
  if (!/^\d{12,19}$/.test(text)) return false
  const sum = [...text].reverse().reduce((total, char, at) => {
    const digit = Number(char) * (at % 2 === 1 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return sum % 10 === 0
}
