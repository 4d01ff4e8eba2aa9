// Shows the error codes that have what is typed, and how many they are.

const field = document.querySelector('#filter')
const found = document.querySelector('#found')
const groups = [...document.querySelectorAll('main section')]

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const group of groups) {
    let shown = 0
    for (const entry of group.querySelectorAll('article')) {
      const text = `${group.dataset.status} ${entry.textContent}`.toLowerCase()
      entry.hidden = !words.every((word) => text.includes(word))
      if (!entry.hidden) shown += 1
    }
    group.hidden = shown === 0
    const link = document.querySelector(`aside a[href="#${group.id}"]`)
    link.parentElement.hidden = group.hidden
    count += shown
  }
  found.textContent = count === 1 ? '1 code' : `${count} codes`
}

/** A link to a code leads to it, whatever is typed. */
function show() {
  if (location.hash === '' || field.value === '') return
  field.value = ''
  filter()
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
}

field.addEventListener('input', filter)
addEventListener('hashchange', show)
filter()
