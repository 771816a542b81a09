"""A standalone Spark cluster on the loopback of this machine: a master and workers, each a process of its own."""
import glob
import os
import signal
import socket
import subprocess
import sys
import threading
import time


def java_home():
    """Java 17 or later, which Spark 4 needs."""
    for home in [os.environ.get("JAVA_HOME"), *sorted(glob.glob("/usr/lib/jvm/*17*"))]:
        if home and os.path.exists(f"{home}/bin/java"):
            return home
    raise SystemExit("Java 17 is not there; install it, or name it in JAVA_HOME")


def environment(home=None):
    import pyspark

    home = home or os.path.dirname(pyspark.__file__)
    return {
        **os.environ,
        "JAVA_HOME": java_home(),
        "SPARK_HOME": home,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class LocalCluster:
    """A master and two workers in the process of the driver, which start executors of their own: quick to begin."""

    def __init__(self, folder):
        self.folder, self.url, self.conf = folder, "local-cluster[2,1,1024]", {}

    def __enter__(self):
        # Workers work below the home of Spark, and here that is a folder which goes away again.
        home = environment()["SPARK_HOME"]
        os.makedirs(self.folder)
        for name in os.listdir(home):
            os.symlink(f"{home}/{name}", f"{self.folder}/{name}")
        self.home = self.folder
        return self

    def __exit__(self, *_):
        pass


class Cluster:
    """Processes of a cluster below `folder`; ends them all when it is left."""

    conf, home = {}, None

    def __init__(self, folder, workers=2, memory="1g"):
        self.folder, self.port, self.memory, self.processes = folder, free_port(), memory, {}
        self.url = f"spark://127.0.0.1:{self.port}"
        self.workers = workers

    def __enter__(self):
        os.makedirs(self.folder, exist_ok=True)
        self.start("master", "Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(free_port()))
        self.wait_for("master", "New state: ALIVE")
        for number in range(self.workers):
            self.start_worker(number, waits=False)
        for number in range(self.workers):
            self.wait_for(f"worker-{number}", "Successfully registered with master")
        return self

    def start_worker(self, number, waits=True):
        name = f"worker-{number}"
        flags = ["--host", "127.0.0.1", "--webui-port", str(free_port()), "--cores", "1", "--memory", self.memory]
        self.start(name, "Worker", *flags, "--work-dir", f"{self.folder}/{name}", self.url)
        if waits:
            self.wait_for(name, "Successfully registered with master")

    def start(self, name, kind, *flags):
        env = environment()
        env["SPARK_DAEMON_MEMORY"] = "256m"
        env["SPARK_DAEMON_JAVA_OPTS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        env["SPARK_LOCAL_DIRS"] = f"{self.folder}/local-{name}"
        command = [f"{env['SPARK_HOME']}/bin/spark-class", f"org.apache.spark.deploy.{kind.lower()}.{kind}", *flags]
        log = open(f"{self.folder}/{name}.log", "ab")
        self.processes[name] = subprocess.Popen(command, stdout=log, stderr=log, env=env, start_new_session=True)

    def log(self, name):
        with open(f"{self.folder}/{name}.log", errors="replace") as log:
            return log.read()

    def wait_for(self, name, words):
        end = time.time() + 60
        while words not in self.log(name):
            if time.time() > end or self.processes[name].poll() is not None:
                raise SystemExit(f"{name} did not start:\n{self.log(name)}")
            time.sleep(0.1)

    def kill(self, name):
        """Kills a process of the cluster with all that it started."""
        process = self.processes.pop(name)
        for child in [process.pid, *descendants(process.pid)]:
            kill(child)
        process.wait()

    def __exit__(self, *_):
        for name in list(self.processes):
            self.kill(name)


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def processes():
    """The id, the parent and the command line of each process."""
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            with open(f"{folder}/stat") as stat, open(f"{folder}/cmdline", "rb") as line:
                parent = int(stat.read().rpartition(")")[2].split()[1])
                yield int(folder[6:]), parent, line.read().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            pass


class Peaks:
    """The most memory that any one process of a kind took while this was open, in MB."""

    KINDS = {"executor": "CoarseGrainedExecutorBackend", "filter": "/dedup "}

    def __enter__(self):
        self.most, self.is_over = dict.fromkeys(self.KINDS, 0), threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        while not self.is_over.wait(0.5):
            for number, _, line in processes():
                for kind, words in self.KINDS.items():
                    if words in line:
                        self.most[kind] = max(self.most[kind], peak(number))

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()


def peak(number):
    """The most memory that a process has taken, in MB; 0 when it is gone."""
    try:
        with open(f"/proc/{number}/status") as status:
            return max((int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")), default=0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def descendants(root):
    """All processes that a process started, and that these started."""
    children = {}
    for number, parent, _ in processes():
        children.setdefault(parent, []).append(number)
    found, ahead = [], [root]
    while ahead:
        below = children.get(ahead.pop(), [])
        found += below
        ahead += below
    return found
