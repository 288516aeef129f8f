{{/* Annotations of an object of a hook, which Helm makes before the release. Takes hook and weight. */}}
{{- define "vaultsvc.hook" -}}
helm.sh/hook: {{ .hook }}
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: {{ default "before-hook-creation" .delete }}
{{- end -}}

{{/* Where a job of one service finds the Secret of the owner of its schema. Takes root, service and shard. */}}
{{- define "vaultsvc.ownerSecrets" -}}
{{- $items := list "DATABASE_URL" -}}
{{- if has "KEYS_DATABASE_URL" (default list (index .root.Values.services .service).secretSettings) -}}
{{- $items = append $items "KEYS_DATABASE_URL" -}}
{{- end -}}
{{- toJson (list (dict "name" (include "vaultsvc.secretName" (dict "root" .root "service" .service "shard" .shard "owner" true)) "items" $items)) -}}
{{- end -}}

{{/*
The NetworkPolicy of the pods of a job. Takes root, component, uses, and hook and weight.
*/}}
{{- define "vaultsvc.jobPolicy" -}}
{{- if .root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "vaultsvc.fullname" .root }}-{{ .component }}
  labels:
    {{- include "vaultsvc.labels" . | nindent 4 }}
  annotations:
    {{- include "vaultsvc.hook" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "vaultsvc.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "vaultsvc.egress" . | trim | nindent 4 }}
{{- end }}
{{- end -}}

{{/*
The service account of a job that writes Secrets, which may read and change these alone. RBAC cannot limit `create` to names.
Takes root, component, secrets (names), hook and weight.
*/}}
{{- define "vaultsvc.secretWriter" -}}
{{- $name := printf "%s-%s" (include "vaultsvc.fullname" .root) .component }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  labels:
    {{- include "vaultsvc.labels" . | nindent 4 }}
  annotations:
    {{- include "vaultsvc.hook" . | nindent 4 }}
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  labels:
    {{- include "vaultsvc.labels" . | nindent 4 }}
  annotations:
    {{- include "vaultsvc.hook" . | nindent 4 }}
rules:
  - apiGroups: ['']
    resources: [secrets]
    verbs: [create]
  - apiGroups: ['']
    resources: [secrets]
    verbs: [get, patch]
    resourceNames:
      {{- toYaml .secrets | nindent 6 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  labels:
    {{- include "vaultsvc.labels" . | nindent 4 }}
  annotations:
    {{- include "vaultsvc.hook" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ .root.Release.Namespace }}
{{- end -}}

{{/* The token of the service account with what belongs to it, for the one container that may use it. */}}
{{- define "vaultsvc.tokenVolume" -}}
- name: token
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken: { path: token, expirationSeconds: 3600 }
      - configMap:
          name: kube-root-ca.crt
          items:
            - { key: ca.crt, path: ca.crt }
      - downwardAPI:
          items:
            - { path: namespace, fieldRef: { fieldPath: metadata.namespace } }
{{- end -}}

{{- define "vaultsvc.tokenMount" -}}
- { name: token, mountPath: {{ include "vaultsvc.tokenFolder" . }}, readOnly: true }
{{- end -}}

{{- define "vaultsvc.tokenFolder" -}}
/var/run/secrets/kubernetes.io/serviceaccount
{{- end -}}

{{- define "vaultsvc.tokenEnv" -}}
- { name: NODE_EXTRA_CA_CERTS, value: {{ include "vaultsvc.tokenFolder" . }}/ca.crt }
{{- end -}}
