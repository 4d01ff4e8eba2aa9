/** `trigger KIND`: causes an event or a decline in a sandbox. */

import type { Command } from 'commander'
import { BezantMerchant } from '#client/merchant.ts'
import { type ApiOptions, apiCommand, offerWords, withExamples } from '../kit/command.ts'
import { sandboxOf as fileOf } from '../kit/credentials.ts'
import { UsageFault } from '../kit/faults.ts'
import { apiPlatformOf, clientOf } from '../kit/platform.ts'
import { print, styled } from '../kit/print.ts'
import type { Profile } from '../kit/profiles.ts'
import { jsonOf, visible } from '../kit/text.ts'
import { networkOf, portIn } from '../scenarios/wire/address.ts'
import type { NetworkAddress } from '../scenarios/wire/line.ts'
import type { Kind } from '../trigger/kind.ts'
import { kindGroups, kinds } from '../trigger/kinds.ts'
import { type Sandbox, Stage, type Step, type TriggerOptions } from '../trigger/stage.ts'

type Options = ApiOptions & TriggerOptions

export function triggerCommand(): Command {
  const command = apiCommand('trigger')
    .description('Causes an event or a decline in a sandbox, and makes what is needed for it.')
    .argument('<kind>', 'what is to happen, of the list below')
    .option('--card <id>', 'card that pays; a new one where it is left out')
    .option('--user <id>', 'user in place of a new one')
    .option('--transaction <id>', 'purchase that is cleared, reversed, increased or refunded')
    .option('--amount <amount>', 'amount in major units, as 12.50')
    .option('--currency <code>', 'currency; that of the account where it is left out')
    .option('--mcc <code>', 'category of the merchant, four digits')
    .option('--country <code>', 'country of the merchant')
    .option('--merchant <id>', 'id of the merchant')
    .option('--entry-mode <mode>', 'how the card is read, as CHIP')
    .option('--network <host:port>', 'ISO 8583 port of the sandbox; else that of sandbox.json')
    .action((name: string, options: Options) => run(name, options))
    .addHelpText('after', () => `\n${listOf().join('\n')}`)
  offerWords(
    command,
    kinds.map(({ name }) => name),
  )
  return withExamples(command, [
    'trigger purchase --amount 25 --mcc 5812 --country FRA',
    'trigger refund --transaction ID --amount 5',
    'trigger kyc.passed',
    'trigger 1016',
  ])
}

/** Throws a UsageFault for an unknown name, and for an option that the kind does not take. */
export function kindOf(name: string, options: TriggerOptions): Kind {
  const found = kinds.find((kind) => kind.name === name)
  if (found) {
    assertTaken(found, options)
    return found
  }
  const near = kinds.filter((kind) => kind.name.split(/[._]/).some((part) => name.includes(part)))
  const hint = near.length > 0 ? `; near it: ${near.map((kind) => kind.name).join(', ')}` : ''
  throw new UsageFault(`there is no trigger ${visible(name)}${hint} (bezant trigger --help)`)
}

function listOf(): string[] {
  const width = Math.max(...kinds.map(({ name }) => name.length)) + 2
  return kindGroups.flatMap(([title, group]) => [
    `${title}:`,
    ...group.map(({ name, about }) => `  ${name.padEnd(width)}${about}`),
    '',
  ])
}

async function run(name: string, options: Options): Promise<void> {
  const kind = kindOf(name, options)
  const say = options.json ? () => {} : (step: Step) => print(lineOf(step))
  const steps = await cause(kind, options, apiPlatformOf(options), say)
  if (options.json) print(jsonOf({ kind: kind.name, steps }))
}

/** Causes it on a platform; resolves to what happened. `say` gets each step as it happens. */
export async function cause(
  kind: Kind,
  options: TriggerOptions,
  platform: Profile,
  say: (step: Step) => void,
): Promise<readonly Step[]> {
  const network = portOf(platform, options)
  const stage = new Stage(clientOf(platform), options, say, sandboxOf(platform), network)
  await kind.run(stage)
  return stage.steps
}

function portOf(profile: Profile, { network }: TriggerOptions): NetworkAddress | undefined {
  if (network !== undefined) return networkOf(network)
  const file = fileOf(profile)
  return file && portIn(file.network)
}

/** The keys of the sandbox of this machine, where the key in use is its tenant's. */
function sandboxOf(profile: Profile): Sandbox | undefined {
  const { url } = profile
  const file = fileOf(profile)
  if (!file) return undefined
  const { public_key, private_key } = file.merchant
  return {
    operator: clientOf({ url, key: file.operator_key }),
    tenant: file.tenant.id,
    shop: {
      merchant: new BezantMerchant({
        baseUrl: url,
        keys: { public_key, private_key },
      }),
      baseUrl: url,
    },
  }
}

/** An option without effect would be a surprise. */
function assertTaken({ name, takes }: Kind, { card, user, transaction }: TriggerOptions): void {
  const given = { card, user, transaction }
  const taken = { card: ['card', 'user'], user: ['user'], nothing: [] as string[] }
  const own = takes === 'transaction' ? ['card', 'user', 'transaction'] : taken[takes]
  for (const [option, value] of Object.entries(given)) {
    if (value !== undefined && !own.includes(option)) {
      throw new UsageFault(`trigger ${name} makes what it needs, and takes no --${option}`)
    }
  }
}

const lineOf = ({ what, id }: Step) =>
  visible(what) + (id === undefined ? '' : `  ${styled('dim', visible(id))}`)
