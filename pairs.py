import subprocess,os,itertools,shutil,sys
B='/tmp/atk/somacat'
shutil.copy('/tmp/atk/w/run/s.db','c.db')
base={'query':['query','--db','c.db'],'verify':['verify','--db','c.db']}
def run(a):
    p=subprocess.run([B,*a],capture_output=True,text=True,timeout=30,stdin=subprocess.DEVNULL); return p.returncode,p.stdout,p.stderr
print('verify')
for a in [['--figure','cube','--shard','1/2'],['--figure','cube','--set','SOMA'],['--figure','cube','--set','2xSOMA'],['--sample','3','--shard','1/3'],['--figure','cube','--nodes','1'],['--nodes','5'],['--figure','s1-3x3x3-zzzzz3'],['--figure','3x3x3'],['--figure','67 77'],['--set','2xSOMA'],['--set','diabolical'],['--set','diabolical','--sample','2']]:
    print(a,[x.strip()[-220:] for x in map(str,run(['verify','--db','c.db',*a]))])
print('query')
for a in [['--top','0'],['--top','2','--sort','raw'],['--sql','select 1','--top','2'],['--like','cube','--top','1'],['--like','cube','--cells','3'],['--fail-if-empty','--cells','3'],['--sql','select 1 where 0','--fail-if-empty'],['--mirror','--cells','27','--top','2','--csv'],['--raw-min','5','--raw-max','1'],['--solvable','--unsolvable'],['--verdict','counted','--unsolvable'],['--set','diabolical'],['--sql','select order from figure'],['--sql','select group from figures'],['--json','--csv'],['--name','cube','--like','cube']]:
    print(a,[x.strip()[:260] for x in map(str,run(['query','--db','c.db',*a]))])
print('count')
for a in [['cube','--limit','5','--engine','frontier'],['cube','--partial','--limit','3'],['cube','--memory','1'],['cube','--memory','1M','--engine','frontier'],['cube','--nodes','5','--partial'],['cube','--threads','0'],['cube','--set','V','--partial'],['cube','--set','V'],['cube','--format','soma'],['3x3x3','--format','soma'],['67 77','--format','cells'],['cube','--limit','0'],['cube','cube'],['cube','--engine','frontier','--nodes','3'],['nosuch','cube']]:
    print(a,[x.strip()[:330] for x in map(str,run(['count','--db','c.db','--csv',*a]))])
print('solve')
for a in [['cube','--first','--limit','3'],['cube','--first','--unique'],['cube','--unique','--limit','2'],['cube','--trace','--unique','--json'],['cube','--trace','--csv'],['cube','--first','--partial','--set','2xSOMA'],['cube','--limit','2','--csv']]:
    o=run(['solve','--db','c.db',*a]);print(a,o[0],len(o[1]),o[1][:80],o[2][:200])
print('enumerate/census/map/stand')
for a in [['enumerate','symmetric'],['enumerate','symmetric','--cells','27'],['enumerate','symmetric','--class','C2(edge)','--cells','9','--count'],['enumerate','symmetric','--class','S4','--exact','--cells','9','--within','3x3x3','--count','--csv'],['enumerate','symmetric','--class','Cs(planar)','--cells','27','--count'],['census','2x3x5','--unique-count','3','--keep','top:3','--csv'],['census','2x3x5','--unique-count','1','--csv'],['census','2x2x7','--set','SOMA','--totals'],['map','tower','--from','1','--csv'],['stand','cube','--sample','0'],['sets','SOMA'],['show','SOMA'],['show','SOMA+'],['show','SOMA+','--csv'],['sets','/work/main/catalog/pieces/pentacubes.txt'],['places','cube','--nodes','1','--csv']]:
    o=run(a+['--db','c.db'] if a[0] not in('census',) else a);print(a,o[0],o[1][:200],'E:',o[2][:260])
