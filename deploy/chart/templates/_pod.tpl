{{/* What all pods have in common, of services and jobs. Takes root and pods. */}}
{{- define "vaultsvc.podCommon" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
enableServiceLinks: false
{{- with .root.Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Image and rights of a container. Takes root and, for a workload, image. */}}
{{- define "vaultsvc.containerCommon" -}}
image: {{ include "vaultsvc.image" . }}
imagePullPolicy: {{ default .root.Values.image.pullPolicy (default dict .image).pullPolicy }}
{{- with .root.Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Constraints of the operator with the labels of the workload. Takes root and workload. */}}
{{- define "vaultsvc.topologySpread" -}}
{{- range .workload.pods.topologySpreadConstraints }}
- {{ toYaml (mergeOverwrite (dict "maxSkew" 1 "whenUnsatisfiable" "ScheduleAnyway") .) | nindent 2 | trim }}
  labelSelector:
    matchLabels:
      {{- include "vaultsvc.selectorLabels" (dict "root" $.root "component" $.workload.name) | nindent 6 }}
{{- end }}
{{- end -}}
