/** Words of the standard variables of OpenTelemetry. */

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const PROTOCOLS = ['http/protobuf', 'http/json'] as const
