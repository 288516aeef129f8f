{{/* The public hosts as JSON: host, service and port, from the origins in the settings. */}}
{{- define "vaultsvc.routes" -}}
{{- $settings := include "vaultsvc.settings" (dict "root" . "service" "gateway") | fromJson -}}
{{- $routes := list
  (dict "name" "api" "origin" $settings.API_ORIGIN "service" "gateway" "port" "http")
  (dict "name" "links" "origin" $settings.LINK_ORIGIN "service" "gateway" "port" "links")
  (dict "name" "files" "origin" $settings.FILES_ORIGIN "service" "gateway" "port" "files")
  (dict "name" "forge" "origin" $settings.FORGE_ORIGIN "service" "forge" "port" "http")
-}}
{{- toJson $routes -}}
{{- end -}}
