"""OpenStack Swift in one process: an object store with the S3 API, as tests/servers/swift.ts starts it.

Arguments: a scratch directory, the port of the S3 API, the domain of virtual hosts. Needs Debian's swift packages. Ends when
its standard input does.
"""
import os
import sys

import eventlet
import eventlet.wsgi
from swift.common import utils

root, port, domain = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if os.getuid() == 0:
    NOBODY = 65534
    os.chown(root, NOBODY, NOBODY)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
utils.eventlet_monkey_patch()
eventlet.hubs.use_hub(utils.get_hub())


def write(name, text):
    path = os.path.join(root, name)
    with open(path, "w") as file:
        file.write(text)
    return path


utils.SWIFT_CONF_FILE = write(
    "swift.conf",
    "[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = one\ndefault = yes\n",
)
utils.validate_hash_conf()

# what reads that file when it is loaded
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

reload_storage_policies()
os.makedirs(os.path.join(root, "disks", "one"))

COMMON = f"""[DEFAULT]
swift_dir = {root}
devices = {root}/disks
mount_check = false
workers = 0
"""


def serve(socket, conf):
    log = open(os.devnull, "w")
    eventlet.spawn(eventlet.wsgi.server, socket, loadapp(conf), log, protocol=SwiftHttpProtocol)


for kind in ("account", "container", "object"):
    socket = eventlet.listen(("127.0.0.1", 0))
    builder = RingBuilder(1, 1, 0)
    builder.add_dev(
        dict(region=1, zone=1, weight=1, ip="127.0.0.1", port=socket.getsockname()[1], device="one")
    )
    builder.rebalance()
    builder.get_ring().save(os.path.join(root, f"{kind}.ring.gz"))
    serve(socket, write(f"{kind}.conf", f"{COMMON}[app:main]\nuse = egg:swift#{kind}\n"))

serve(
    eventlet.listen(("127.0.0.1", port)),
    write(
        "proxy.conf",
        f"""{COMMON}[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
storage_domain = {domain}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
""",
    ),
)
print("ready", flush=True)
# a test that was killed takes its store with it
eventlet.tpool.execute(sys.stdin.read)
os._exit(0)
