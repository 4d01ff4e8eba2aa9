/** A member who has signed up: its calls carry the cookie of the session (D-136). */

// biome-ignore lint/suspicious/noExplicitAny: a scene uses what the API answers.
export type Answer = any

export type Member = {
  email: string
  cookie: { name: string; value: string }
  call: (method: string, path: string, body?: object) => Promise<Answer>
}

const PASSWORD = 'seven quiet harbours'

export const signUp = (base_url: string, email: string, organization: string): Promise<Member> =>
  join(base_url, '/registrations', { email, password: PASSWORD, organization }, email)

/** Opens the link of an invitation as the invited member. */
export const accept = (base_url: string, email: string, link: string): Promise<Member> =>
  join(
    base_url,
    '/invitations:accept',
    { token: new URL(link).searchParams.get('token'), password: PASSWORD },
    email,
  )

async function join(base_url: string, to: string, body: object, email: string): Promise<Member> {
  const headers = { origin: base_url, 'content-type': 'application/json' }
  const answer = await fetch(`${base_url}/portal/v1${to}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const [pair = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const [name = '', value = ''] = pair.split('=')
  const call: Member['call'] = async (method, path, body) => {
    const reply = await fetch(`${base_url}${path}`, {
      method,
      headers: { ...headers, cookie: pair },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return { email, cookie: { name, value }, call }
}
