// Gives each block of code of a page a button that copies it.

const WAIT_MS = 1_500

for (const block of document.querySelectorAll('.block')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy quiet'
  button.textContent = 'Copy'
  button.addEventListener('click', () => copy(block.querySelector('pre'), button))
  block.querySelector('.block-head').append(button)
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = 'Copied'
  } catch {
    // Without https a browser may refuse: the text is then selected, for the keys of the reader.
    getSelection().selectAllChildren(text)
    button.textContent = 'Selected'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, WAIT_MS)
}
