/** `get|post|put|delete PATH`: one request, as it is typed. */

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { merchantCodeOf } from '#client/core/merchant_codes.ts'
import { type Answer, Api, RequestFault } from '../kit/api.ts'
import { type ApiOptions, apiCommand, withExamples } from '../kit/command.ts'
import { credentialsOf, idempotencyHeaderOf, targetOf } from '../kit/credentials.ts'
import { bodyOf, pathOf, queryOf } from '../kit/members.ts'
import { platformOf } from '../kit/platform.ts'
import { note, print } from '../kit/print.ts'
import { withoutCardData } from '../kit/secrets.ts'
import { jsonOf, visibleLines } from '../kit/text.ts'

type Options = ApiOptions & {
  data?: string
  query?: string[]
  accept?: string
  idempotencyKey?: string
  reveal?: boolean
}

const examples: Record<string, string[]> = {
  get: [
    'get /users --query status=ACTIVE',
    'get /cards/ID:reveal --reveal',
    'get /api/v1.0/orders --profile shop',
  ],
  post: [
    'post /users first_name=Layla last_name=Haddad',
    'post /simulate/authorizations card_id=ID amount:=12.5 currency=AED merchant.mcc=5411',
    'post /cardproducts -d @product.json',
  ],
  put: [
    'put /cards/ID/authsettings atm:=false max_amount:=500',
    'put /operator/tenants/ID -d @settings.json --profile operator',
  ],
  delete: ['delete /webhooks/ID'],
}

export function requestCommand(method: string): Command {
  const hasBody = method === 'post' || method === 'put'
  const command = apiCommand(method)
    .description(`Makes a ${method.toUpperCase()} request and prints the answer.`)
    .argument('<path>', 'path of an API, as /users, /api/v1.0/orders or /portal/v1/members')
    .option('-q, --query <name=value...>', 'parameters of the query')
    .option('--accept <type>', 'media type of the answer, as text/csv')
    .option('--reveal', 'print card numbers and codes as they are answered')
  if (hasBody) {
    command
      .argument('[members...]', 'members of the body: name=text or name:=json')
      .option('-d, --data <json>', 'the whole body: JSON, @file, or - for standard input')
  }
  if (method === 'post') {
    command.option('--idempotency-key <key>', 'under the same key it takes effect once')
  }
  command.action(async (path: string, words: string[] | Options, rest?: Options) => {
    const [members, options] = Array.isArray(words) ? [words, rest ?? {}] : [[], words]
    await request(method.toUpperCase(), path, members, options)
  })
  return withExamples(command, examples[method] ?? [])
}

async function request(
  method: string,
  typed: string,
  words: readonly string[],
  options: Options,
): Promise<void> {
  const target = targetOf(pathOf(typed))
  const body = bodyOf(words, options.data)
  const query = queryOf(options.query ?? [])
  const profile = platformOf(options)
  const keyed = method === 'POST'
  const key = keyed ? (options.idempotencyKey ?? randomUUID()) : undefined
  const api = new Api({
    url: profile.url,
    credentials: await credentialsOf(profile, target),
    idempotency_header: idempotencyHeaderOf(target),
    ...(target.api === 'merchant' && { code_of: merchantCodeOf }),
  })
  const { path } = target
  try {
    printAnswer(await api.send({ method, path, query, body, key, accept: options.accept }), options)
  } catch (error) {
    if (error instanceof RequestFault && error.answer) printAnswer(error.answer, options)
    if (key !== undefined && error instanceof RequestFault) {
      note(`To send the same again: --idempotency-key ${key}`)
    }
    throw error
  }
}

/** JSON is printed in lines. Another answer is printed as it is where no terminal can be harmed. */
function printAnswer({ bytes, text, body: value }: Answer, { reveal, json }: Options): void {
  if (text === '') {
    if (json) print('null')
    return
  }
  if (value !== undefined) print(jsonOf(reveal ? value : withoutCardData(value)))
  else if (json) print(jsonOf(text))
  else if (process.stdout.isTTY) print(visibleLines(text).replace(/\n$/, ''))
  else process.stdout.write(bytes)
}
