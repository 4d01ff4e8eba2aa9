// Says in the bar who has signed in, and offers to sign in where no one has. The documentation of
// the APIs reads the same answer, and sends its requests with the session.

globalThis.bezantSession = fetch('/portal/v1/session')
  .then((answer) => (answer.ok ? answer.json() : null))
  .catch(() => null)

globalThis.bezantSession.then((session) => {
  const place = document.querySelector('.session')
  if (session === null) {
    const link = document.createElement('a')
    link.href = `/console/sign-in?next=${encodeURIComponent(location.pathname)}`
    link.textContent = 'Sign in'
    place.replaceChildren(link)
  } else {
    place.textContent = session.member.email
    place.title = place.textContent
  }
  const note = document.querySelector('.note')
  if (note === null || session === null) return
  const whose = session.tenant ? ` of ${session.tenant.name}` : ''
  note.textContent =
    `You are signed in as ${session.member.email}${whose}. ` +
    'Requests that you try on this page are made with your session and have their full effect.'
})
