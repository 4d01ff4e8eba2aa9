/** A member who has signed up: its calls carry the cookie of the session (D-136). */

import { form } from '#test/support/files.ts'

// biome-ignore lint/suspicious/noExplicitAny: a scene uses what the API answers.
export type Answer = any

export type Member = {
  email: string
  cookie: { name: string; value: string }
  call: (method: string, path: string, body?: object) => Promise<Answer>
  upload: (path: string, file_name: string, value: Buffer) => Promise<void>
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
  const upload: Member['upload'] = async (path, file_name, bytes) => {
    const { headers: of_form, payload } = form({ name: 'file', value: bytes, file_name })
    const own = { origin: base_url, cookie: pair, 'idempotency-key': file_name }
    const sent = { method: 'POST', headers: { ...own, ...of_form } }
    const reply = await fetch(`${base_url}${path}`, { ...sent, body: new Uint8Array(payload) })
    if (!reply.ok) throw new Error(`POST ${path} answered ${reply.status}: ${await reply.text()}`)
  }
  return { email, cookie: { name, value }, call, upload }
}
