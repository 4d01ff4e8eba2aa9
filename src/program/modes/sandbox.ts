/** A deployment that simulates the outside world, with a demo tenant to try it. */

import { createAuthenticator } from '#sandbox/authenticator/authenticator.ts'
import { clockSlice } from '#sandbox/clock/slice.ts'
import { simulatedBureau } from '#sandbox/embosser/bureau.ts'
import { simulatedEmbosserSlice } from '#sandbox/embosser/slice.ts'
import { sandboxIdentity } from '#sandbox/identity/identity.ts'
import { sandboxKyb, sandboxKyc } from '#sandbox/identity/kyc.ts'
import { simulatedIdentitySlice } from '#sandbox/identity/slice.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { simulatedNetworkSlice } from '#sandbox/network/slice.ts'
import { webhookReceiverSlice } from '#sandbox/receiver/slice.ts'
import { deleteOldRequests } from '#sandbox/receiver/store.ts'
import { createListener } from '#sandbox/responder/listener.ts'
import { responderListenerSlice } from '#sandbox/responder/slice.ts'
import { deleteOldQuestions } from '#sandbox/responder/store.ts'
import { simulatedSchemeSlice } from '#sandbox/scheme/slice.ts'
import { type SandboxAddresses, writeSandbox } from '#sandbox/seed/file.ts'
import { seedSandbox } from '#sandbox/seed/seed.ts'
import { testCards } from '#sandbox/test_cards/test_cards.ts'
import { type Config, localAddress, networkAddress } from '#src/config/config.ts'
import type { Made, Mode } from './mode.ts'
import { PROFILES } from './profiles.ts'

const bureau = simulatedBureau()

export const sandbox: Mode = {
  profile: PROFILES.sandbox,
  providers: { identity: sandboxIdentity, kyc: sandboxKyc, kyb: sandboxKyb, bureau },
  open: (services) => ({
    listener: createListener(services),
    payments: { testCards, authenticator: createAuthenticator(services) },
  }),
  slices: ({ engine, listener, wire, config, log }) => [
    clockSlice,
    simulatedEmbosserSlice({ bureau, log }),
    simulatedIdentitySlice,
    simulatedSchemeSlice,
    simulatedNetworkSlice(engine, wire && { wire, dialect: config().network.dialect, log }),
    ...(listener ? [responderListenerSlice(listener)] : []),
    webhookReceiverSlice(() => config().public_url),
  ],
  chores: [deleteOldQuestions, deleteOldRequests],
  async make(services, config) {
    const path = sandboxPath(config.data_dir)
    return { seeded: await seedSandbox(services, { path, addresses: addressesOf(config) }) }
  },
  record,
}

/** A process records only the ports that it listens on; another one may have the rest. */
function record(config: Config, { seeded }: Made): Made {
  if (!seeded) return {}
  const { base_url, network } = addressesOf(config)
  const other = writeSandbox(sandboxPath(config.data_dir), {
    ...seeded.file,
    ...(config.roles.includes('api') && { base_url }),
    ...(config.roles.includes('network') && { network }),
  })
  return { seeded: { ...seeded, other: seeded.other ?? other } }
}

function addressesOf(config: Config): SandboxAddresses {
  const { dialect, header } = config.network
  const network = { ...networkAddress(config), dialect, header }
  return { base_url: localAddress(config).base_url, network }
}
