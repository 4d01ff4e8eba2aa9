/** The exporter of spans: OTLP over HTTP. Loaded only where an endpoint is configured. */

import { setTimeout as wait } from 'node:timers/promises'
import { context, DiagLogLevel, diag } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { BoundedLines } from '#kit/bounded_lines.ts'
import type { Log } from '#kit/log.ts'
import type { Secret } from '#lib/secret.ts'
import type { PROTOCOLS, SAMPLERS } from './settings.ts'
import { beginTracing } from './tracing.ts'

export type TracingConfig = Readonly<{
  /** The address to which spans are posted. */
  url: string
  protocol: (typeof PROTOCOLS)[number]
  headers: Readonly<Record<string, Secret>>
  service_name: string
  sampler: (typeof SAMPLERS)[number]
  /** The part of traces that are kept, 0 to 1, by the samplers that have one. */
  ratio: number
}>

/** How long the last spans may take at the end. */
const END_MS = 1_000

/** Begins to export; resolves to what sends the rest and ends it. */
export function startExport(config: TracingConfig, version: string, log: Log): () => Promise<void> {
  const { url, protocol, service_name } = config
  const headers = Object.fromEntries(
    Object.entries(config.headers).map(([name, value]) => [name, value.reveal()]),
  )
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter
  const exporter = new Exporter({ url, headers })
  const resource = resourceFromAttributes({
    'service.name': service_name,
    'service.version': version,
  })
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const lines = new BoundedLines(log)
  const warn = (message: string) => lines.writeFailure(new Error(message), {}, 'traces are lost')
  const ignore = () => {}
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const end = beginTracing({
    tracer: provider.getTracer('bezant', version),
    propagator: new W3CTraceContextPropagator(),
  })
  return async () => {
    end()
    // A collector that is out of reach holds up no stop.
    await Promise.race([provider.shutdown().catch(ignore), wait(END_MS, undefined, { ref: false })])
    context.disable()
    diag.disable()
  }
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const name = sampler.replace(/^parentbased_/, '')
  const root =
    name === 'always_off'
      ? new AlwaysOffSampler()
      : name === 'traceidratio'
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler()
  return name === sampler ? root : new ParentBasedSampler({ root })
}
