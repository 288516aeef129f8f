{{/* A rule of egress: `to`, or everywhere, by these ports. Takes to and ports, and protocols. */}}
{{- define "vaultsvc.egressRule" -}}
{{- $rule := . -}}
-
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    {{- range $port := .ports }}
    {{- range $protocol := default (list "TCP") $rule.protocols }}
    - { protocol: {{ $protocol }}, port: {{ $port }} }
    {{- end }}
    {{- end }}
{{- end -}}

{{/* Egress to DNS and to these servers (files/services.json). Takes root and uses. */}}
{{- define "vaultsvc.egress" -}}
{{- with .root.Values.networkPolicy }}
{{ include "vaultsvc.egressRule" (dict "to" .dns.to "ports" .dns.ports "protocols" (list "UDP" "TCP")) }}
{{- range $name := $.uses | uniq }}
{{- if or (ne $name "traces") $.root.Values.settings.TRACES_ENDPOINT }}
{{ include "vaultsvc.egressRule" (index $.root.Values.networkPolicy.egress $name) }}
{{- end }}
{{- end }}
{{- with .extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end -}}
