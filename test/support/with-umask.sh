# Holds a cluster under the umask that is the only argument.
umask "$1"
exec "$NODE" "$(dirname "$0")/hold-cluster.ts" "$DATA_DIR"
