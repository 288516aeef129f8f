import {
  anyList,
  anyObject,
  closed,
  count,
  flag,
  objectName,
  text,
  texts,
  textOrNull,
} from './schema-parts.ts';

const amount = { type: ['integer', 'string', 'null'], minimum: 0, pattern: '^[0-9]+%$' };

const digest = { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' };

/** The image; a service may have another tag during an upgrade. */
export const image = closed({
  repository: text,
  tag: text,
  digest,
  pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
});

/** How the pods of one workload run: of all in `defaults`, of a service in `services`, of the one process in `one`. */
export const workload: Readonly<Record<string, unknown>> = {
  replicaCount: count,
  image,
  resources: anyObject,
  autoscaling: closed({
    enabled: flag,
    minReplicas: count,
    maxReplicas: count,
    targetCPUUtilizationPercentage: { type: 'integer', minimum: 1, maximum: 100 },
    behavior: anyObject,
  }),
  podDisruptionBudget: closed({ enabled: flag, maxUnavailable: amount, minAvailable: amount }),
  serviceAccount: closed({ create: flag, automount: flag, name: objectName, annotations: texts }),
  podAnnotations: texts,
  podLabels: texts,
  nodeSelector: texts,
  tolerations: anyList,
  affinity: anyObject,
  topologySpreadConstraints: {
    type: 'array',
    items: { type: 'object', required: ['topologyKey'], properties: { topologyKey: text } },
  },
  priorityClassName: textOrNull,
  extraEnv: anyList,
  extraVolumes: anyList,
  extraVolumeMounts: anyList,
};
