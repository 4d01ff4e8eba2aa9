// Inserts a widget at the place of this script element:
//   <script src="https://cards.example/widgets/loader.js" data-url="…" data-lang="ar"></script>
// The element around it gets the events bezant:ready, bezant:done, bezant:hidden and bezant:error.
;(() => {
  const READY_MS = 3000
  const script = document.currentScript
  const container = script.parentElement
  const home = new URL(script.src).origin
  const { url, lang } = script.dataset
  let isReady = false

  const address = addressOf(url)
  if (address?.origin !== home) return void setTimeout(dispatch, 0, 'error', { reason: 'url' })
  if (lang) address.searchParams.set('lang', lang)

  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.title = lang?.startsWith('ar') ? 'البطاقة' : 'Card'
  frame.allow = 'clipboard-write'
  frame.referrerPolicy = 'no-referrer'
  frame.style.cssText = 'display:block;width:100%;height:12rem;border:0'
  window.addEventListener('message', receive)
  frame.addEventListener('load', () => setTimeout(giveUp, READY_MS), { once: true })
  script.after(frame)

  function addressOf(text) {
    try {
      return new URL(text)
    } catch {
      return undefined
    }
  }

  function receive({ origin, source, data }) {
    if (origin !== home || source !== frame.contentWindow || data?.from !== 'bezant') return
    const { type, widget, reason, height } = data
    if (type === 'size') frame.style.height = `${Number(height)}px`
    if (type === 'ready') isReady = true
    if (['ready', 'done', 'hidden', 'error'].includes(type)) {
      dispatch(type, { widget, ...(reason && { reason }) })
    }
  }

  // No page may frame the widget of a token that is used, expired or made for another origin.
  function giveUp() {
    if (isReady) return
    window.removeEventListener('message', receive)
    frame.remove()
    dispatch('error', { reason: 'unavailable' })
  }

  function dispatch(type, detail) {
    container.dispatchEvent(new CustomEvent(`bezant:${type}`, { bubbles: true, detail }))
  }
})()
