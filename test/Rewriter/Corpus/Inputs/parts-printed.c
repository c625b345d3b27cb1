#include "mpi.h"
#include <stdio.h>
#include <math.h>
#define MAXSIZE 40
int scatter_max()
{
	int myid, nproc, data[MAXSIZE], i, x, myresult=0, result=0;
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	x = MAXSIZE/nproc;
	int recbuf[x];
	if(myid==0)
	{
		for(i=0;i<MAXSIZE;i++)
			data[i]=i*7%MAXSIZE;
	}
	MPI_Scatter(&data,x,MPI_INT,&recbuf,x,MPI_INT,0,MPI_COMM_WORLD);	/*@smax*/
	myresult=recbuf[0];
	for(i=1;i<x;i++)
		if(recbuf[i]>myresult)
			myresult=recbuf[i];
	printf("I got %d from %d\n",myresult,myid);
	MPI_Reduce(&myresult,&result,1,MPI_INT,MPI_MAX,0,MPI_COMM_WORLD);	/*@smaxr*/
	if(myid==0)
		printf("The max is %d.\n",result);
	return 0;
}
int bcast_min()
{
	int myid, nproc, data[MAXSIZE], i, x, low, high, myresult=0, result=0;
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	if(myid==0)
		for(i=0;i<MAXSIZE;i++)
			data[i]=i+2;
	x = MAXSIZE/nproc;
	low = myid*x;
	high = low+x;
	MPI_Bcast(data,MAXSIZE,MPI_INT,0,MPI_COMM_WORLD);	/*@bmin*/
	myresult=data[low];
	for(i=low;i<high;i++)
		if(data[i]<myresult)
			myresult=data[i];
	printf("I got %d from %d\n",myresult,myid);
	MPI_Reduce(&myresult,&result,1,MPI_INT,MPI_MIN,0,MPI_COMM_WORLD);	/*@bminr*/
	if(myid==0) printf("The min is %d.\n",result);
	return 0;
}
int bcast_late()
{
	int myid, nproc, data[MAXSIZE], i, x, low, high, myresult=0, result=0;
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	if(myid==0)
		for(i=0;i<MAXSIZE;i++)
			data[i]=i+2;
	MPI_Bcast(data,MAXSIZE,MPI_INT,0,MPI_COMM_WORLD);	/*@blate*/
	x = MAXSIZE/nproc;
	low = myid*x;
	high = low+x;
	for(i=low;i<high;i++)
		myresult+=data[i];
	printf("I got %d from %d\n",myresult,myid);
	MPI_Reduce(&myresult,&result,1,MPI_INT,MPI_SUM,0,MPI_COMM_WORLD);	/*@blater*/
	if(myid==0)
		printf("The sum is %d.\n",result);
	return 0;
}
int gather_max()
{
	int myid, nproc, data[MAXSIZE], i, x, myresult=0, result[MAXSIZE], max=0;
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	x = MAXSIZE/nproc;
	int recbuf[x];
	if(myid==0)
		for(i=0;i<MAXSIZE;i++)
			data[i]=i*i%37;
	MPI_Scatter(&data,x,MPI_INT,&recbuf,x,MPI_INT,0,MPI_COMM_WORLD);	/*@gmax*/
	myresult=recbuf[0];
	for(i=0;i<x;i++)
	{
		if(recbuf[i]>myresult)
			myresult=recbuf[i];
	}
	MPI_Gather(&myresult,1,MPI_INT,&result,1,MPI_INT,0,MPI_COMM_WORLD);	/*@gmaxg*/
	if(myid==0)
	{
		for(i=0;i<nproc;i++)
		{
			printf("from %d : %d\n",i,result[i]);
			if(result[i]>max)
				max=result[i];
		}
		printf("max is %d\n",max);
	}
	return 0;
}
int nothing()
{
	int myid, nproc, i, x, one, data[MAXSIZE], back[MAXSIZE], counts[MAXSIZE];
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	x = MAXSIZE/nproc;
	int mine[x];
	for(i=0;i<MAXSIZE;i++) { data[i]=i; counts[i]=1; }
	MPI_Reduce_scatter(data,&one,counts,MPI_INT,MPI_SUM,MPI_COMM_WORLD);	/*@rs*/
	printf("%d has %d\n",myid,one);
	MPI_Gather(&one,1,MPI_INT,back,1,MPI_INT,0,MPI_COMM_WORLD);	/*@rsg*/
	if(myid==0)
		for(i=0;i<nproc;i++)
			printf("%d\n",back[i]);
	MPI_Bcast(&one,1,MPI_INT,0,MPI_COMM_WORLD);	/*@bg*/
	MPI_Gather(&one,1,MPI_INT,back,1,MPI_INT,0,MPI_COMM_WORLD);	/*@bgg*/
	MPI_Scatter(data,x,MPI_INT,mine,x,MPI_INT,0,MPI_COMM_WORLD);	/*@sg*/
	for(i=0;i<x;i++)
		printf("%d ",mine[i]);
	MPI_Gather(mine,x,MPI_INT,back,x,MPI_INT,0,MPI_COMM_WORLD);	/*@sgg*/
	return 0;
}
int all_ops()
{
	int myid, nproc, data[MAXSIZE], i, x, sum=0, r;
	MPI_Status status;
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	x = MAXSIZE/nproc;
	int recbuf[x];
	MPI_Scatter(&data,x,MPI_INT,&recbuf,x,MPI_INT,0,MPI_COMM_WORLD);	/*@all*/
	if(myid==0)
		for(i=0;i<x;i++) sum+=recbuf[i];
	else if(myid==1)
	{
		sum=1;
		for(i=0;i<x;i++) sum*=recbuf[i];
	}
	else
		for(i=0;i<x;i++) if(recbuf[i]>sum) sum=recbuf[i];
	if(myid!=0)
		MPI_Send(&sum,1,MPI_INT,0,1,MPI_COMM_WORLD);
	else
		for(i=1;i<nproc;i++) { MPI_Recv(&r,1,MPI_INT,i,1,MPI_COMM_WORLD,&status); printf("%d\n",r); }
	return 0;
}
int trapezoidal()
{
	int myid, nproc, i, n=100;
	double mine=0, all=0, h=0.01, result;
	MPI_Comm_size(MPI_COMM_WORLD,&nproc);
	MPI_Comm_rank(MPI_COMM_WORLD,&myid);
	for(i=myid;i<n;i+=nproc)
		mine+=i*h*i*h;
	MPI_Reduce(&mine,&all,1,MPI_DOUBLE,MPI_SUM,0,MPI_COMM_WORLD);	/*@trap*/
	result=h*((0+1)/2.0+all);
	if(myid==0)
		printf("%f\n",result);
	return 0;
}
void main(int argc, char *argv[])
{
	MPI_Init(&argc,&argv);
	scatter_max();
	bcast_min();
	bcast_late();
	gather_max();
	nothing();
	all_ops();
	trapezoidal();
	MPI_Finalize();
}
