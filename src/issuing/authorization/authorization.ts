/** Public functions of the authorization slice: the engine, and the network port. */

export {
  AccountBusy,
  type Authorizer,
  Engine,
  EngineOverloaded,
  OutcomeUnknown,
} from './engine/engine.ts'
export type { Job } from './engine/job.ts'
export { createNetworkPort } from './port/port.ts'
export { createTenantFinder } from './port/tenant_finder.ts'
export type { PortTls } from './port/tls.ts'
