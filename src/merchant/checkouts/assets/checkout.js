// Enhances the payment page, which also works without a script.

const framed = window.parent !== window
const result = document.getElementById('result')
const form = document.querySelector('form')

if (result) end(result)
if (form) improve(form)

/** Sends the result of the payment to the shop's page once and goes on to the shop. */
function end({ href, dataset }) {
  const { status, confirmUrl, rejectUrl, origin } = dataset
  if (framed) {
    const func = 'closeIFrameOnCompleteOrder'
    const message = { status, confirmUrl, rejectUrl, hidePopup: true }
    window.parent.postMessage({ status, confirmUrl, rejectUrl, func, message }, origin)
  }
  window.location.replace(href)
}

function improve(form) {
  const { card_number, expiry, cvv2, framed: mark } = form.elements
  const button = form.querySelector('button')
  const label = button.innerHTML
  let sending = false
  mark.value = framed ? '1' : ''

  card_number.addEventListener('input', () => group(card_number))
  expiry.addEventListener('input', (event) => {
    const typing = event.inputType?.startsWith('insert') ?? false
    if (typing && expiry.selectionEnd === expiry.value.length) slash(expiry)
  })

  form.addEventListener('submit', (event) => {
    if (sending) return event.preventDefault()
    const wrong = [
      [card_number, !isCardNumber(digits(card_number.value))],
      [expiry, !/^(0?[1-9]|1[0-2])\/{0,2}(20)?\d\d$/.test(digits(expiry.value))],
      [cvv2, !/^\d{3,4}$/.test(digits(cvv2.value))],
    ].filter(([input, isWrong]) => show(input, isWrong))
    if (wrong.length > 0) {
      event.preventDefault()
      wrong[0][0].focus()
      return
    }
    sending = true
    button.setAttribute('aria-disabled', 'true')
    button.textContent = button.dataset.paying
  })

  // A page that the browser restores from its cache may be submitted again.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    sending = false
    button.removeAttribute('aria-disabled')
    button.innerHTML = label
  })
}

/** Spaces after every four digits, only while the cursor is at the end. */
function group(input) {
  if (input.selectionEnd !== input.value.length) return
  const grouped = digits(input.value).replace(/(.{4})(?=.)/g, '$1 ')
  if (/^[\d ]*$/.test(grouped)) input.value = grouped
}

/** A slash after the month; one that is typed beside it counts as the same. */
function slash(input) {
  const single = input.value.replace(/\s*\/[\s/]*\/\s*$/, '/')
  const text = /^(0[1-9]|1[0-2])$/.test(digits(single)) ? `${single}/` : single
  if (text !== input.value) input.value = text
}

/** Shows or removes the message of a field and returns whether the field is at fault. */
function show(input, isWrong) {
  const id = `${input.id}_fault`
  document.getElementById(id)?.remove()
  input.toggleAttribute('aria-invalid', false)
  input.setAttribute('aria-describedby', `${input.id}_hint`)
  if (!isWrong) return false
  const fault = document.createElement('p')
  fault.id = id
  fault.className = 'fault'
  fault.textContent = input.dataset.fault
  input.before(fault)
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', `${input.id}_hint ${id}`)
  return true
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
