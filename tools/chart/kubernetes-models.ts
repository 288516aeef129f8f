import { ExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Role } from 'kubernetes-models/rbac.authorization.k8s.io/v1/Role';
import { RoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/RoleBinding';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { KubernetesObject } from './rendered-chart.ts';

/** Every kind that the chart may make: a Secret is not among them. */
const models = [
  ConfigMap,
  Deployment,
  ExternalSecret,
  HorizontalPodAutoscaler,
  HTTPRoute,
  Ingress,
  Job,
  NetworkPolicy,
  Pod,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  Service,
  ServiceAccount,
  ServiceMonitor,
];

/** @throws for an object that its API would refuse, and for one of an unknown kind or version */
export function validate(object: KubernetesObject): void {
  const found = models.find(
    ({ kind, apiVersion }) => kind === object.kind && apiVersion === object.apiVersion,
  );
  if (!found) throw new Error(`the chart makes no ${object.apiVersion} ${object.kind}`);
  const Model = found as new (data: unknown) => { validate(): void };
  try {
    new Model(object).validate();
  } catch (error) {
    throw new Error(`${object.kind} ${object.metadata.name}: ${String(error)}`, { cause: error });
  }
}
